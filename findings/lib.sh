# What every finding uses: a temporary folder, pinned packages in it, and the comparison with what was seen.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Installs pinned Python packages into a new environment: `python_packages numpy==2.4.6`.
python_packages() {
  python3 -m venv "$folder/python"
  "$folder/python/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# Runs the program on standard input with these packages.
python() { "$folder/python/bin/python" -; }

# Installs pinned packages for Node.js: `node_packages hdr-histogram-js@3.0.1`.
node_packages() {
  (cd "$folder" && npm init --yes > npm.log && npm install --silent --no-audit --no-fund "$@" >> npm.log)
}

node_program() { (cd "$folder" && node -); }

# Unpacks packages of Debian, the pinned one and the libraries that a small machine lacks:
# `debian_packages rt-tests=2.4-1 libnuma1`.
debian_packages() {
  (cd "$folder" && apt-get download --quiet=2 "$@" 2> apt.log && for package in *.deb; do
    dpkg-deb --extract "$package" .
  done)
  export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu
}

# Makes a folder that is an FMU (FMI 2.0, Co-Simulation), `model NAME VARIABLES STRUCTURE < NAME.c`. The program defines
# the functions that it needs; all others do nothing.
model() {
  mkdir -p "$folder/$1/binaries/linux64"
  cat > "$folder/$1/modelDescription.xml" << XML
<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="$1" guid="$1">
  <CoSimulation modelIdentifier="$1" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>$2</ModelVariables>
  <ModelStructure>$3</ModelStructure>
</fmiModelDescription>
XML
  {
    echo '#include <stddef.h>'
    for name in EnterInitializationMode ExitInitializationMode Terminate Reset CancelStep SetDebugLogging SetupExperiment \
      DoStep GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean SetString GetFMUstate SetFMUstate \
      FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate GetDirectionalDerivative \
      SetRealInputDerivatives GetRealOutputDerivatives GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus \
      GetStringStatus; do
      echo "__attribute__((weak)) int fmi2$name() { return 0; }"
    done
    echo 'static double instance;'
    echo 'const char *fmi2GetTypesPlatform(void) { return "default"; }'
    echo 'const char *fmi2GetVersion(void) { return "2.0"; }'
    echo 'void *fmi2Instantiate() { return &instance; }'
    echo 'void fmi2FreeInstance(void *model) {}'
  } > "$folder/rest.c"
  cc -shared -fPIC -o "$folder/$1/binaries/linux64/$1.so" -x c - "$folder/rest.c"
}

# Compares what a program printed with what was seen when the finding was written.
expect() { # seen, printed
  printf '%s\n' "$2"
  [[ $2 == "$1" ]] || {
    printf 'The behaviour has changed. It was:\n%s\n' "$1" >&2
    exit 1
  }
}
