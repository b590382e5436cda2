import qrcode from "qrcode";

/** What a QR code of the largest size holds as bytes at error correction level M. */
export const MAXIMUM_DATA_BYTES = 2331;

export type QrErrorReason = "empty" | "too_long";

/** Thrown for data that no QR code can carry. */
export class QrError extends Error {
  override readonly name = "QrError";

  constructor(
    readonly reason: QrErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** A QR code as a square of modules, row by row, without its quiet zone; true is dark. */
export type QrModules = {
  size: number;
  isDark(row: number, column: number): boolean;
};

/**
 * Encodes text at error correction level M (15 % of the code may be unreadable), in the smallest size that fits.
 * @throws QrError for an empty text or one of more than 2331 UTF-8 bytes.
 */
export function qrModules(data: string): QrModules {
  if (data === "") throw new QrError("empty", "There is nothing to put into the QR code.");
  if (new TextEncoder().encode(data).length > MAXIMUM_DATA_BYTES) {
    throw new QrError("too_long", `A QR code holds at most ${MAXIMUM_DATA_BYTES} bytes.`);
  }
  const { modules } = qrcode.create(data, { errorCorrectionLevel: "M" });
  return {
    size: modules.size,
    isDark: (row, column) => modules.get(row, column) === 1,
  };
}
