VENV := .venv
BIN := $(VENV)/bin
PROTOS := $(shell find protos -name '*.proto')

gen/.stamp: $(PROTOS) $(VENV)/.stamp
	rm -rf gen && mkdir -p gen
	$(BIN)/python -m grpc_tools.protoc -Iprotos --python_out=gen --mypy_out=gen --grpc_python_out=gen --mypy_grpc_out=gen $(PROTOS)
	touch gen/.stamp
