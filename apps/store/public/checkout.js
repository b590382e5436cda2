// A second click on the button while the first is under way does nothing. The server makes one order either way.
const form = document.getElementById("checkout");
const longestWaitMs = 8000;
let sent = false;
const allow = () => {
  sent = false;
};
form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
  // When the network lets the shopper down, the button works again.
  setTimeout(allow, longestWaitMs);
});
addEventListener("pageshow", allow);
