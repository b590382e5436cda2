/** What a shopper reads on the payment page of what is bought: the rule of `plugin/vectors/descriptions.json`. */

export type BoughtItem = {
  /** As the store holds it: tags and character references may be in it. */
  name: string;
  /** Some stores sell parts of a piece. */
  quantity: number;
};

/** The longest description that `POST /orders` takes, in characters. */
const MAX_LENGTH = 500;

const CHARACTERS: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#039;": "'",
};

/** @returns "2 × Stoneware mug, 1 × Tea bowl", cut where it is too long; the order's number where no item has a name */
export function describeItems(items: readonly BoughtItem[], orderNumber: string): string {
  const texts = items
    .map(({ name, quantity }) => ({ name: plain(name), quantity }))
    .filter(({ name }) => name !== "")
    .map(({ name, quantity }) => `${quantity} × ${name}`);
  return texts.length === 0 ? `Order ${orderNumber}` : cut(texts.join(", "));
}

const plain = (name: string): string =>
  name
    .replace(/<[^\s<>][^<>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#039);/g, (reference) => CHARACTERS[reference] ?? reference)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}
