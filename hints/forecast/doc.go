// Package forecast computes how much traffic each endpoint would get, and which weights a proxy
// should give to zones. It shows in advance how hints, or the loss of a zone, would change the
// load.
//
// A program asks how busy the busiest endpoint of a port is if each Node sends the same amount of
// traffic:
//
//	var from []forecast.Source
//	for _, node := range nodes {
//		at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
//		from = append(from, forecast.Source{Location: at, Weight: 1})
//	}
//	traffic, err := forecast.Forecast(endpoints, dedup.Found.Candidate, from, routing.Inside(svc))
//	if err != nil {
//		return err // an argument is wrong, for example a weight is negative
//	}
//	if traffic.Worst >= 0 {
//		fmt.Println(traffic.Loads[traffic.Worst], traffic.Across) // such as +33.34% and 2500, which means 25%
//	}
//
// # What to call
//
//	I want                                             I call
//	what hints or an outage would do to endpoints      Forecast
//	weights of zones for a proxy, as in Envoy's EDS    Spread
//
// # Words
//
//   - A source is a place that sends traffic, such as a Node or a zone.
//   - The load of an endpoint is its traffic compared with the mean of the ready endpoints: +33.34%
//     for a third more.
//   - Traffic is across zones if it leaves the zone of its source.
//
// All functions are safe for concurrent use. They change none of their inputs and keep nothing.
package forecast
