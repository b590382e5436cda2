/** Why the embedded PostgreSQL cannot serve. The message is one plain sentence (or two) for a person. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
