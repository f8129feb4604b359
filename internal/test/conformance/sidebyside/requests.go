package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

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

// usage is what a process used so far.
type usage struct {
	cpu  time.Duration
	peak int64 // bytes of memory that were resident at the most
}

// usageOf reads Linux's counts.
func usageOf(pid int) (u usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, fmt.Errorf("CPU time and memory are read from Linux's /proc: %w", err)
	}
	// Fields are counted after the name, which is in parentheses and may hold anything.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const user, system, tick = 11, 12, 10 * time.Millisecond // Linux shows hundredths of a second
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return u, err
		}
		u.cpu += time.Duration(n) * tick
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, err
	}
	for _, line := range strings.Split(string(status), "\n") {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			if err != nil {
				return u, err
			}
			u.peak = kib << 10
		}
	}
	return u, nil
}
