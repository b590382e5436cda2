/**
 * A JSON number that a binary float would alter, as its own text. In a request the reader of bodies puts it in such a
 * number's place: an amount is judged by its text, and any other field refuses it as it refuses what is no number. In an
 * answer it stands for a sum of more than 15 digits, and is written as it is.
 */
export class NumberText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}
