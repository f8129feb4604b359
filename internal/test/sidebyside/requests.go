package main

import (
	"bufio"
	"context"
	"fmt"
	"regexp"
	"strconv"

	"k8s.io/client-go/kubernetes"
)

// requests are the API server's own counts of requests that concern EndpointSlices.
type requests struct {
	Creates, Updates, Deletes int
	Conflicts                 int // refused because somebody else wrote, or because the name is taken
	Refused                   int // for any other reason
}

var (
	requestLine  = regexp.MustCompile(`^apiserver_request_total\{(.*)\} (\S+)$`)
	requestLabel = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// countRequests reads the API server's metrics.
func countRequests(ctx context.Context, client kubernetes.Interface) (r requests, err error) {
	body, err := client.Discovery().RESTClient().Get().AbsPath("/metrics").Stream(ctx)
	if err != nil {
		return r, err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		match := requestLine.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		labels := map[string]string{}
		for _, label := range requestLabel.FindAllStringSubmatch(match[1], -1) {
			labels[label[1]] = label[2]
		}
		if labels["resource"] != "endpointslices" {
			continue
		}
		n, err := strconv.ParseFloat(match[2], 64)
		if err != nil {
			return r, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		r.add(labels["verb"], labels["code"], int(n))
	}
	return r, lines.Err()
}

func (r *requests) add(verb, code string, n int) {
	var done *int
	switch verb {
	case "POST":
		done = &r.Creates
	case "PUT", "PATCH", "APPLY":
		done = &r.Updates
	case "DELETE":
		done = &r.Deletes
	default:
		return
	}
	switch {
	case code == "409":
		r.Conflicts += n
	case code[0] != '2':
		r.Refused += n
	default:
		*done += n
	}
}

func (r requests) since(before requests) requests {
	return requests{
		r.Creates - before.Creates, r.Updates - before.Updates, r.Deletes - before.Deletes,
		r.Conflicts - before.Conflicts, r.Refused - before.Refused,
	}
}
