/** The message is for operators. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
