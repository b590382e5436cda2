import { registerPaymentMethod } from "@woocommerce/blocks-registry";
import { getPaymentMethodData } from "@woocommerce/settings";
import { createElement } from "@wordpress/element";
import { decodeEntities } from "@wordpress/html-entities";
import { __ } from "@wordpress/i18n";
import { readMethodData } from "./method-data.js";

/** Tillgate in the block checkout. The server offers it only where it can be paid, so it can always be chosen here. */
const data = readMethodData(getPaymentMethodData("tillgate", null));
if (data !== null) {
  const title = decodeEntities(data.title) || __("Wallet (QR code)", "tillgate-for-woocommerce");
  const content = createElement("p", null, decodeEntities(data.description));
  registerPaymentMethod({
    name: "tillgate",
    label: createElement(
      "span",
      { className: "tillgate-label" },
      title,
      createElement("img", {
        src: data.icon,
        alt: "",
        width: 24,
        height: 24,
        style: { marginLeft: "0.5em" },
      }),
    ),
    content,
    edit: content,
    ariaLabel: title,
    placeOrderButtonLabel: decodeEntities(data.button),
    canMakePayment: () => true,
    supports: { features: data.supports },
  });
}
