#!/usr/bin/env python
"""Django's command line."""

import sys

from django.core.exceptions import ImproperlyConfigured

from history.core.words.errors import SettingError

REFUSAL = "Vitrine does not start: {}"


def main() -> None:
    try:
        from chatapp import env  # noqa: PLC0415 -- reads .env, which may be unreadable
    except ValueError as error:
        sys.exit(REFUSAL.format(error))
    env.use_settings("chatapp.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 -- after the above

    try:
        execute_from_command_line(sys.argv)
    except (env.EnvironmentRefused, ImproperlyConfigured, SettingError) as error:
        sys.exit(REFUSAL.format(error))


if __name__ == "__main__":
    main()
