/** The cookies of the page. All ports of a host share cookies, so each app names its own. */
export type CookieNames = {
  visitor: string;
  session: string;
  /** Long-lived: accounts have signed in on this device. */
  device: string;
  notice: string;
  /** Chosen by the switch of languages. */
  language: string;
  /** Of one order's address: this browser saw it pending. */
  witness: string;
  /** Path of visitor, session, device and language: payment pages, links and wallet share them, and `__Host-` cookies must have `/`. */
  path: string;
};

/** Under https the names have prefixes, so that no other host or plain connection can set these cookies. */
export function cookieNames(secure: boolean): CookieNames {
  return secure
    ? {
        visitor: "__Host-tillgate_pay_visitor",
        session: "__Host-tillgate_pay_session",
        device: "__Host-tillgate_pay_device",
        notice: "__Secure-tillgate_pay_notice",
        language: "__Host-tillgate_pay_language",
        witness: "__Secure-tillgate_pay_witness",
        path: "/",
      }
    : {
        visitor: "tillgate_pay_visitor",
        session: "tillgate_pay_session",
        device: "tillgate_pay_device",
        notice: "tillgate_pay_notice",
        language: "tillgate_pay_language",
        witness: "tillgate_pay_witness",
        path: "/",
      };
}
