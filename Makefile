# make hint   installs into .venv and answers a hint      make check   lint and types
# make test   installs into .venv and runs the tests      make portable   the tests on kernels without GCC's extensions
PYTHON ?= python3
BIN = .venv/bin

.PHONY: hint test check portable long clean

hint: .venv
	$(BIN)/pip install --quiet .
	$(BIN)/servida hint yahtzee 33366

test: .venv
	$(BIN)/pip install --quiet ".[test]"
	$(BIN)/python -m pytest --cov=servida --cov-report=term

check: .venv
	$(BIN)/pip install --quiet ".[test,lint]"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p servida

portable:
	$(PYTHON) -m venv .venv-portable
	SERVIDA_PORTABLE=1 .venv-portable/bin/pip install --quiet --no-cache-dir ".[test]"
	.venv-portable/bin/python -m pytest tests/test_kernel.py tests/test_solver.py tests/test_distribution.py tests/test_simulate.py \
		tests/test_utility.py tests/test_duel.py tests/test_columns.py tests/test_relaxation.py tests/test_gin.py \
		tests/test_gin_play.py

long: .venv
	$(BIN)/pip install --quiet ".[test]"
	$(BIN)/python -m pytest -m long

.venv:
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip

clean:
	rm -rf .venv .venv-portable build *.egg-info
