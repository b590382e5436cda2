import { account } from "./en/account";
import { administration } from "./en/administration";
import { developers } from "./en/developers";
import { errors } from "./en/errors";
import { frame } from "./en/frame";
import { home } from "./en/home";
import { linksAndTills } from "./en/links-and-tills";
import { lists } from "./en/lists";
import { payments } from "./en/payments";
import { payouts } from "./en/payouts";
import { settings } from "./en/settings";
import { webhooks } from "./en/webhooks";

/** All texts of the console, in ICU MessageFormat, one file per area. */
export const en = {
  ...frame,
  ...account,
  ...home,
  ...lists,
  ...payments,
  ...payouts,
  ...linksAndTills,
  ...developers,
  ...webhooks,
  ...settings,
  ...administration,
  ...errors,
};
