// Prints what Go's hdrhistogram finds in a log: tag, number of values, quantiles in percent (the arguments).
// The library takes the rank nearest to the share of all values. Here it is asked for the first that covers the share.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	reader := hdrhistogram.NewHistogramLogReader(file)
	for {
		histogram, err := reader.NextIntervalHistogram()
		if err != nil {
			panic(err)
		}
		if histogram == nil {
			return
		}
		fmt.Print(histogram.Tag(), " ", histogram.TotalCount())
		for _, text := range os.Args[2:] {
			share, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(err)
			}
			count := float64(histogram.TotalCount())
			rank := math.Ceil(math.Round(share*count*1e4) / 1e6)
			fmt.Print(" ", histogram.ValueAtPercentile(100*rank/count))
		}
		fmt.Println()
	}
}
