import { registerExpressPaymentMethod, registerPaymentMethod } from "@woocommerce/blocks-registry";
import { getPaymentMethodData } from "@woocommerce/settings";
import { createElement } from "@wordpress/element";
import { decodeEntities } from "@wordpress/html-entities";
import { __ } from "@wordpress/i18n";
import { isOffered, readMethodData } from "./method-data.js";

const data = readMethodData(getPaymentMethodData("tillgate", null));
if (data !== null) {
  const title = decodeEntities(data.title) || __("Wallet (QR code)", "tillgate-for-woocommerce");
  const content = createElement(
    "div",
    null,
    createElement("p", null, decodeEntities(data.description)),
    data.testMode === "" ? null : createElement("p", null, createElement("strong", null, data.testMode)),
  );
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
        style: { marginInlineStart: "0.5em" },
      }),
    ),
    content,
    edit: content,
    ariaLabel: title,
    placeOrderButtonLabel: decodeEntities(data.button),
    canMakePayment: (cart) => isOffered(data, cart),
    supports: { features: data.supports },
  });
  if (data.express !== null) {
    const { address, label } = data.express;
    const button = createElement(
      "a",
      { className: "wc-block-components-button wp-element-button", href: address, rel: "nofollow" },
      decodeEntities(label),
    );
    registerExpressPaymentMethod({
      name: "tillgate_express",
      title,
      description: decodeEntities(data.description),
      gatewayId: "tillgate",
      paymentMethodId: "tillgate",
      content: button,
      edit: button,
      canMakePayment: (cart) => isOffered(data, cart),
      supports: { features: data.supports },
    });
  }
}
