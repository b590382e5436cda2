/** Why the embedded PostgreSQL cannot run. The message is for operators. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
