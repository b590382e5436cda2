/** An error of the embedded PostgreSQL or its backups. The message is for operators. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
