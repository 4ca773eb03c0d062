"""A hint on the command line, with its table in place, beside the bare imports of its libraries.

python bench/startup.py [--rounds 21]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pairs import machine, pairs, report, report_ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    script = Path(sys.executable).with_name("servida")
    program = str(script) if script.exists() else shutil.which("servida")
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SERVIDA_TABLES": folder}
        hint = [program, "hint", "yahtzee", "33366"]
        imports = [sys.executable, "-c", "import numpy, h5py, click"]
        ours, bare = pairs(
            lambda: subprocess.run(hint, env=env, check=True, stdout=subprocess.DEVNULL),
            lambda: subprocess.run(imports, env=env, check=True),
            rounds,
        )
    print(machine())
    report("servida hint yahtzee 33366", ours, 1e-3, "ms")
    report('python -c "import numpy, h5py, click"', bare, 1e-3, "ms")
    report_ratio("hint over imports", ours, bare)


if __name__ == "__main__":
    main()
