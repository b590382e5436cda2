/** The texts of connecting a shop by a link. */
export const enConnect = {
  "connect.title": "Connect {shop}?",
  "connect.asks": "{shop} ({host}) asks to take payments with your Tillgate account.",
  "connect.asksByHost": "{host} asks to take payments with your Tillgate account.",
  "connect.gives": "It gets",
  "connect.sandboxKeys": "credentials of the sandbox, which move no money",
  "connect.liveKeys": "credentials of live mode, which take real payments and make refunds",
  "connect.noLive":
    "no credentials of live mode, as it is on your own machine: those are for shops that are reached by https",
  "connect.earlier":
    "If this shop was connected before, what it had works for one more day, and is then replaced by these.",
  "connect.merchant": "Account",
  "connect.agree": "Connect",
  "connect.decline": "Do not connect",
  "connect.check": "Connect only if you came here from your own shop, and the address above is its own.",
  "connect.notYours": "You may not connect a shop",
  "connect.notYoursText":
    "A connected shop can refund, so an owner of the account connects it. Ask one of yours, or sign in as another user.",
  "connect.bad": "This link is not whole",
  "connect.badText":
    "What the shop sent cannot be used, so nothing was connected. Go back to your shop and start again; if it happens once more, update its Tillgate plugin.",
  "connect.done": "Agreed",
  "connect.doneText": "Your browser goes back to {shop}, which then finishes the connection.",
  "connect.back": "Go back to {shop}",
  "connect.gone": "You are done here",
  "connect.goneText": "Go on in your shop. If it is not connected there, start again from its settings.",
  "connect.shops": "Connected shops",
  "connect.shop": "Shop",
  "connect.platform": "By",
  "connect.at": "Connected",
  "connect.platform.woocommerce": "WooCommerce plugin",
  "connect.platform.connector": "connector",
  "connect.yours": "Connect your shop",
  "connect.wordpress": "Connect WordPress",
  "connect.wordpressText":
    "Install the plugin first. Then this leads to its settings, where one press connects it: no key is copied.",
  "connect.shopAddress": "Address of your shop",
  "connect.next": "Next",
  "connect.openText": "One more step:",
  "connect.open": "open the settings of {shop}",
  "connect.headless": "Connect a headless shop",
  "connect.headlessText":
    "These lines, in a copy of the repository, check your store and Tillgate and write the connector’s settings.",
  "error.shopAddress": "Enter the address of the shop, such as https://shop.example.",
} as const;
