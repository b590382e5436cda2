/** Handles a rejected file operation in `catch`: a missing file becomes undefined, and other errors are thrown again. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  return undefined;
}
