# SPDX-License-Identifier: GPL-2.0-or-later
"""Spark's daemon of Python workers, which has loaded what each of them would load for seconds."""
import pandas  # noqa: F401
import pyarrow  # noqa: F401
from pyspark.daemon import manager

import tdat.spark  # noqa: F401

if __name__ == "__main__":
    manager()
