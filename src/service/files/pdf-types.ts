export type Lib = typeof import("@cantoo/pdf-lib");
export type File = import("@cantoo/pdf-lib").PDFDocument;
export type Dict = import("@cantoo/pdf-lib").PDFDict;
export type Page = import("@cantoo/pdf-lib").PDFPage;
export type Font = import("@cantoo/pdf-lib").PDFFont;
export type Image = import("@cantoo/pdf-lib").PDFImage;
export type Field = ReturnType<ReturnType<File["getForm"]>["getFields"]>[number];
