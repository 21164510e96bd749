#!/usr/bin/env python
"""Django's command line."""

import sys

from django.core.exceptions import ImproperlyConfigured

from chatapp import env
from history.core.settings import SettingError


def main() -> None:
    env.use_settings("chatapp.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 -- after the above

    try:
        execute_from_command_line(sys.argv)
    except (env.EnvironmentRefused, ImproperlyConfigured, SettingError) as error:
        sys.exit(f"Vitrine does not start: {error}")


if __name__ == "__main__":
    main()
