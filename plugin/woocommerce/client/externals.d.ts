/** Types of the WordPress and WooCommerce globals that the scripts use. */

declare module "@wordpress/element" {
  export type Element = { readonly type: unknown };
  type Child = Element | string | null;
  export function createElement(
    type: string | ((properties: never) => Element | null),
    properties: Record<string, unknown> | null,
    ...children: Child[]
  ): Element;
}

declare module "@wordpress/i18n" {
  export function __(text: string, domain: string): string;
}

declare module "@wordpress/html-entities" {
  export function decodeEntities(text: string): string;
}

declare module "@woocommerce/settings" {
  export function getPaymentMethodData(name: string, fallback: unknown): unknown;
}

declare module "@woocommerce/blocks-registry" {
  import type { Element } from "@wordpress/element";

  type CanMakePayment = (cart: {
    cartTotals?: { total_price?: string; currency_minor_unit?: number };
    billingAddress?: { country?: string };
  }) => boolean;
  export function registerPaymentMethod(method: {
    name: string;
    label: Element;
    content: Element;
    edit: Element;
    ariaLabel: string;
    placeOrderButtonLabel: string;
    canMakePayment: CanMakePayment;
    supports: { features: string[] };
  }): void;
  export function registerExpressPaymentMethod(method: {
    name: string;
    title: string;
    description: string;
    gatewayId: string;
    paymentMethodId: string;
    content: Element;
    edit: Element;
    canMakePayment: CanMakePayment;
    supports: { features: string[] };
  }): void;
}
