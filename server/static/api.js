/** Questions to the server, which answers at once or with a job that is looked at until it is done. */

export class Refused extends Error {} // the server's own words
export class Unreachable extends Error {}

async function read(path, options) {
  let reply, value;
  try {
    reply = await fetch(path, options);
    value = await reply.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable(String(error));
  }
  if (!reply.ok) throw new Refused(value.error);
  return [reply.status, value];
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The answer to a question; `progress` is told a number from 0 to 1, or null, while a job is at it. */
export async function ask(question, body, { progress = () => {}, signal } = {}) {
  const headers = { "content-type": "application/json", prefer: "wait=1" };
  let [status, value] = await read(`/v1/${question}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (status !== 202) return value;
  while (value.state === "running") {
    progress(value.progress);
    await pause(400);
    [, value] = await read(`/v1/jobs/${value.job}`, { signal });
  }
  if (value.status !== 200) throw new Refused(value.answer?.error ?? "");
  return value.answer;
}

/** The words and variants in a language. */
export async function words(language) {
  return (await read(`/v1/words/${language}`))[1];
}

export async function pageWords(language) {
  return (await read(`/words.${language}.json`))[1];
}
