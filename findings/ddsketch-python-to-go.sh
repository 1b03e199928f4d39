#!/usr/bin/env bash
# ddsketch 3.0.1 (Python) and sketches-go v1.4.8: the same serialised sketch has another median in Go.
#
# Behaviour: a sketch of 1000 values of 100, accurate to 1 %, is written by Python's own protobuf conversion. Python
# reads its median as 100.49. Go reads the same bytes without an error as 102.52, outside of the accuracy; its own sketch
# of these values says 100.49. Python numbers a bucket by its upper edge, Go by its lower one.
# Matters: who collects latencies of a fleet in one language and merges them in another shifts every quantile by 2 %, and
# merged sketches of equal values have two modes.
source "$(dirname "$0")/lib.sh"
python_packages ddsketch==3.0.1 protobuf==6.33.2

export SKETCH=$folder/sketch
expect "Python: 100.49" "$(python << 'PY'
import os
import pathlib

from ddsketch import DDSketch
from ddsketch.pb.proto import DDSketchProto

sketch = DDSketch(0.01)
for _ in range(1000):
    sketch.add(100.0)
pathlib.Path(os.environ["SKETCH"]).write_bytes(DDSketchProto.to_proto(sketch).SerializeToString())
print(f"Python: {sketch.get_quantile_value(0.5):.2f}")
PY
)"

export GOPATH=$folder/packages GOFLAGS=-modcacherw
mkdir "$folder/go"
cd "$folder/go"
cat > main.go << 'GO'
package main

import (
	"fmt"
	"os"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/DataDog/sketches-go/ddsketch/pb/sketchpb"
	"github.com/DataDog/sketches-go/ddsketch/store"
	"google.golang.org/protobuf/proto"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var message sketchpb.DDSketch
	if err := proto.Unmarshal(must(os.ReadFile(os.Getenv("SKETCH"))), &message); err != nil {
		panic(err)
	}
	read := must(ddsketch.FromProtoWithStoreProvider(&message, store.DenseStoreConstructor))
	own := must(ddsketch.NewDefaultDDSketch(0.01))
	for range 1000 {
		own.Add(100)
	}
	median := func(sketch *ddsketch.DDSketch) float64 { return must(sketch.GetValueAtQuantile(0.5)) }
	fmt.Printf("Go, of these bytes: %.2f; of its own: %.2f\n", median(read), median(own))
}
GO
{
  go mod init finding
  go get github.com/DataDog/sketches-go@v1.4.8
  go mod tidy
} 2> go.log || {
  cat go.log >&2
  exit 1
}
expect "Go, of these bytes: 102.52; of its own: 100.49" "$(go run .)"
