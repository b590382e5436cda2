/** An error of the embedded PostgreSQL or its backups, with a message for operators. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
