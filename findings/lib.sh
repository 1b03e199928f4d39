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

# Compares what a program printed with what was seen when the finding was written.
expect() { # seen, printed
  printf '%s\n' "$2"
  [[ $2 == "$1" ]] || {
    printf 'The behaviour has changed. It was:\n%s\n' "$1" >&2
    exit 1
  }
}
