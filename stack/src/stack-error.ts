/** Why the stack cannot start or go on, in words for the person who typed `npm start`. */
export class StackError extends Error {
  override readonly name = "StackError";
}
