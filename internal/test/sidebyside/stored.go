package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
)

// stored follows what etcd stores for EndpointSlices.
type stored struct {
	cancel context.CancelFunc
	group  sync.WaitGroup
	bytes  atomic.Int64 // of keys and values that were put
}

// followStored watches through etcd's JSON gateway.
func followStored(ctx context.Context, etcd string) (*stored, error) {
	encode := func(key string) string { return base64.StdEncoding.EncodeToString([]byte(key)) }
	const prefix, after = "/registry/endpointslices/", "/registry/endpointslices0"
	body, err := json.Marshal(map[string]any{"create_request": map[string]any{"key": encode(prefix), "range_end": encode(after)}})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, etcd+"/v3/watch", bytes.NewReader(body))
	if err != nil {
		cancel()
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		cancel()
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		cancel()
		return nil, fmt.Errorf("etcd's gateway: %s", response.Status)
	}
	s := &stored{cancel: cancel}
	s.group.Go(func() {
		defer response.Body.Close()
		s.follow(json.NewDecoder(response.Body))
	})
	return s, nil
}

func (s *stored) follow(decoder *json.Decoder) {
	for {
		var message struct {
			Result struct {
				Events []struct {
					Type string // empty for a put
					KV   struct{ Key, Value []byte }
				}
			}
		}
		if err := decoder.Decode(&message); err != nil {
			return
		}
		for _, e := range message.Result.Events {
			if e.Type != "DELETE" {
				s.bytes.Add(int64(len(e.KV.Key) + len(e.KV.Value)))
			}
		}
	}
}

func (s *stored) stop() {
	s.cancel()
	s.group.Wait()
}
