"""Days and times in English: the same form as in the rest of the app."""

DATE_FORMAT, TIME_FORMAT, DATETIME_FORMAT = "j M Y", "H:i", "j M Y, H:i"
SHORT_DATE_FORMAT, SHORT_DATETIME_FORMAT = DATE_FORMAT, DATETIME_FORMAT
