/**
 * A JSON number that a binary float would alter, as it stood in the body. Whoever reads bodies puts it in such a number's
 * place; an amount is judged by its text, and any other field refuses it as it refuses what is no number.
 */
export class NumberText {
  constructor(readonly text: string) {}
}
