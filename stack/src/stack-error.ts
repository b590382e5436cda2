/** An error that prevents the stack from starting or continuing. It is printed to the user without a stack trace. */
export class StackError extends Error {
  override readonly name = "StackError";
}
