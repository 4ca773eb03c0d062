/** Keeps the page and its words for when the server cannot be reached; fresh ones come first. */

const NAME = "servida";
const FILES = [
  "/",
  "/page.css",
  "/icon.svg",
  "/main.js",
  "/answer.js",
  "/api.js",
  "/dice.js",
  "/dom.js",
  "/game.js",
  "/gin.js",
  "/outlook.js",
  "/players.js",
  "/rules.js",
  "/sheet.js",
  "/store.js",
  "/turn.js",
  "/words.js",
  ...["en", "es", "ko", "de"].flatMap((code) => [`/words.${code}.json`, `/v1/words/${code}`]),
];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === self.location.origin && FILES.includes(pathname))
    event.respondWith(fresh(event.request));
});

async function fresh(request) {
  const cache = await caches.open(NAME);
  try {
    const reply = await fetch(request);
    if (reply.ok) await cache.put(request, reply.clone());
    return reply;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
