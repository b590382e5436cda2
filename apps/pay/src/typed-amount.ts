const ARABIC_ZERO = 0x660;

/**
 * An amount as a shopper types it, as the wire writes it: a comma may stand for the point, digits may be Arabic, blanks may group them. What is
 * no amount stays as it is, for the api to refuse: nothing is guessed.
 */
export function typedAmount(text: string): string {
  const plain = text
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[\s\u00a0\u202f]/g, "")
    .replace("٫", ".");
  return /^\d+,\d+$/.test(plain) ? plain.replace(",", ".") : plain;
}
