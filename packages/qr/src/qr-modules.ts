import qrcode from "qrcode";

/** Capacity of the largest QR code, at error correction level M. */
export const MAXIMUM_DATA_BYTES = 2331;

export type QrErrorReason = "empty" | "too_long";

/** Thrown for empty data, and for data that does not fit a QR code. */
export class QrError extends Error {
  override readonly name = "QrError";

  constructor(
    readonly reason: QrErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** The modules of a QR code, without the quiet zone. */
export type QrModules = {
  size: number;
  isDark(row: number, column: number): boolean;
};

/**
 * Encodes text at error correction level M, which tolerates damage to about 15% of the code.
 * @throws QrError for empty text, or more than 2331 UTF-8 bytes.
 */
export function qrModules(data: string): QrModules {
  if (data === "") throw new QrError("empty", "The data of a QR code must not be empty.");
  if (new TextEncoder().encode(data).length > MAXIMUM_DATA_BYTES) {
    throw new QrError("too_long", `A QR code can contain at most ${MAXIMUM_DATA_BYTES} bytes.`);
  }
  const { modules } = qrcode.create(data, { errorCorrectionLevel: "M" });
  return {
    size: modules.size,
    isDark: (row, column) => modules.get(row, column) === 1,
  };
}
