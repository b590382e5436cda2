/**
 * A JSON number that a binary float would alter, as its own text. In a request the body reader puts it in place of such a
 * number. An amount is then checked by its text, and any other field refuses it as no number. In an answer it is a sum of
 * more than 15 digits, written unchanged.
 */
export class NumberText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}
