/** Describes in one line why a database cannot be used. Rethrows errors that come neither from PostgreSQL nor from the network. */
export function describeDatabaseError(error, url) {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  return `The database at ${new URL(url).host} cannot be used: ${error.message || error.code}. Is PostgreSQL running, and is the URL correct?`;
}
