/** An error in WordPress's shape: `{"code","message","data"}`. */
export class RestError extends Error {
  override readonly name = "RestError";

  /**
   * @param data what stands in `data`; `{status}` unless given. Some WooCommerce errors carry a bare number there,
   * and then WordPress answers 500 whatever the number is.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly data: unknown = { status },
  ) {
    super(message);
  }

  get body(): { code: string; message: string; data: unknown } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

export const noRoute = (): RestError =>
  new RestError("rest_no_route", "No route was found matching the URL and request method.", 404);

/** A WooCommerce error whose `data` is a bare number: WordPress answers it with 500. */
export const plainError = (code: string, message: string, data: number): RestError =>
  new RestError(code, message, 500, data);
