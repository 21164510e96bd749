"""The rows on attached files in the table of environment variables."""

from chatapp.env.variable import Variable, limit

STORAGE = (
    Variable(
        "MEDIA_ROOT",
        "",
        "The folder for attached images and files. Empty: media in DATA_DIR.",
        "The server",
    ),
    Variable(
        "MEDIA_S3_BUCKET",
        "",
        "Keep attached images and files in this S3 bucket instead; needs the extra s3.",
        "The server",
    ),
    Variable(
        "MEDIA_S3_ENDPOINT", "", "The address of an S3 server other than Amazon's.", "The server"
    ),
    Variable("MEDIA_S3_REGION", "", "The region of the bucket.", "The server"),
    Variable("MEDIA_S3_ACCESS_KEY", "", "The access key for the bucket.", "The server"),
    Variable(
        "MEDIA_S3_SECRET_KEY", "", "The secret key for the bucket.", "The server", secret=True
    ),
)
FILES = (
    limit("MAX_FILE_BYTES", "20000000", "Maximum size of an attached file, in bytes."),
    limit(
        "MAX_IMPORT_BYTES", "500000000", "Maximum size of a file with chats to import, in bytes."
    ),
    limit("FILES_PER_MESSAGE", "10", "Maximum files attached to a message."),
    limit(
        "MAX_IMAGE_PIXELS",
        "50000000",
        "Maximum pixels of an attached image; a larger one is refused before it is decoded.",
    ),
    limit("IMAGE_SIDE", "2048", "The longest side of images as stored and sent, in pixels."),
    limit("MAX_PDF_PAGES", "300", "Maximum pages of an attached PDF."),
    limit("SCANNED_PAGES", "10", "Maximum scanned pages per PDF that are sent as images."),
    limit("FILE_SECONDS", "20", "Processor time limit for reading one attached file, in seconds."),
    limit(
        "FILE_SECONDS_PER_HOUR",
        "300",
        "Maximum processor time for reading files per person and hour, in seconds. 0: no limit.",
        local="0",
    ),
    limit(
        "FILES_PER_MINUTE", "30", "Maximum files per person and minute. 0: no limit.", local="600"
    ),
    limit(
        "FILE_BYTES_PER_DAY",
        "500000000",
        "Maximum size of all files per person and day, in bytes, tools' pictures included. 0: no"
        " limit.",
        local="0",
    ),
)
