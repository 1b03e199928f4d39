#!/usr/bin/env bash
# FMPy 0.3.32: in a connected system (SSP 1.0) an input without a connection gets another input's signal, and
# transformations and units are not applied.
#
# Behaviour: a source has the output 2 m. One sink gets it through a connection with factor 1000 and offset 273.15, one in
# mm, where the standard has the importer convert units, and a third is not connected: its input starts at 5. All three
# get 2. A connection's transformation has the prefix ssc in the standard's schema, and is looked for below ssd. For an
# input without a connection, the one that was found for the input before it is taken again. No error and no warning.
# Matters: a system is the form in which suppliers exchange connected models. Figures are wrong by three orders of
# magnitude here, a parameter-like input that keeps its start value becomes a signal, and a comparison with this
# reference blames the right program.
source "$(dirname "$0")/lib.sh"
python_packages fmpy==0.3.32 numpy==2.4.6

system=$folder/system
mkdir -p "$system/resources"
pack() { python3 -m zipfile -c "$@"; }

model source '<ScalarVariable name="y" valueReference="1" causality="output" initial="calculated"><Real/></ScalarVariable>' \
  '<Outputs><Unknown index="1"/></Outputs><InitialUnknowns><Unknown index="1"/></InitialUnknowns>' << 'C'
int fmi2GetReal(void *model, const unsigned *of, unsigned long count, double *values) {
  values[0] = 2;
  return 0;
}
C
model sink '<ScalarVariable name="u" valueReference="0" causality="input"><Real start="5"/></ScalarVariable><ScalarVariable
  name="y" valueReference="1" causality="output" initial="calculated"><Real/></ScalarVariable>' \
  '<Outputs><Unknown index="2"/></Outputs><InitialUnknowns><Unknown index="2"/></InitialUnknowns>' << 'C'
static double u = 5;
int fmi2SetReal(void *model, const unsigned *of, unsigned long count, const double *values) {
  u = values[0];
  return 0;
}
int fmi2GetReal(void *model, const unsigned *of, unsigned long count, double *values) {
  values[0] = u;
  return 0;
}
C
(cd "$folder/source" && pack "$system/resources/source.fmu" modelDescription.xml binaries)
# Each sink has a library of its own, since one that is loaded twice has one state.
for name in scaled in_mm free; do
  (
    cd "$folder/sink"
    cp binaries/linux64/sink.so binaries/linux64/$name.so
    sed -i "s/modelIdentifier=\"[a-z_]*\"/modelIdentifier=\"$name\"/" modelDescription.xml
    pack "$system/resources/$name.fmu" modelDescription.xml binaries
  )
done
sink() { # name, unit of its input
  echo "<ssd:Component name=\"$1\" type=\"application/x-fmu-sharedlibrary\" source=\"resources/$1.fmu\"><ssd:Connectors>
    <ssd:Connector name=\"u\" kind=\"input\"><ssc:Real$2/></ssd:Connector>
    <ssd:Connector name=\"y\" kind=\"output\"><ssc:Real/></ssd:Connector></ssd:Connectors></ssd:Component>"
}
cat > "$system/SystemStructure.ssd" << XML
<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="system" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="system">
    <ssd:Elements>
      <ssd:Component name="source" type="application/x-fmu-sharedlibrary" source="resources/source.fmu"><ssd:Connectors>
        <ssd:Connector name="y" kind="output"><ssc:Real unit="m"/></ssd:Connector></ssd:Connectors></ssd:Component>
      $(sink scaled '')
      $(sink in_mm ' unit="mm"')
      $(sink free '')
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="source" startConnector="y" endElement="scaled" endConnector="u">
        <ssc:LinearTransformation factor="1000" offset="273.15"/>
      </ssd:Connection>
      <ssd:Connection startElement="source" startConnector="y" endElement="in_mm" endConnector="u"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:Units>
    <ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>
    <ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit>
  </ssd:Units>
</ssd:SystemStructureDescription>
XML
(cd "$system" && pack "$folder/system.ssp" SystemStructure.ssd resources)

export SYSTEM=$folder/system.ssp
expect "with factor and offset: 2.0
in mm: 2.0
not connected: 2.0" "$(python << 'PY'
import os

from fmpy.ssp.simulation import simulate_ssp

last = simulate_ssp(os.environ["SYSTEM"], stop_time=1.0, step_size=0.1)[-1]
print("with factor and offset:", last["scaled.y"])
print("in mm:", last["in_mm.y"])
print("not connected:", last["free.y"])
PY
)"
