import { startPasskeys } from "@tillgate/service/browser/passkey";

/** A script of its own, which only a view with a passkey's form loads. */
startPasskeys();
