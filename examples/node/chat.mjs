// A companion's loop in Node: what you say goes in, what comes to mind goes into the prompt, the answer goes in too.
//
// Run `soulmem daemon`, then `node examples/node/chat.mjs Mara`. Put your own model into `answer`. `/forget WORDS`
// deletes every message in which these words stand, with all that was made of it.

import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

import { Soulmem, SoulmemError } from './soulmem.mjs';

const speaker = process.argv[2] ?? 'user';
const where = { mind: 'pell', conversation: `node ${speaker}` }; // one for each speaker: nobody is taken for another
const memory = new Soulmem({ timeoutMs: 2_000 });

/** Ask your model here: `prompt` is what the memory knows, `said` is the message to answer. */
function answer(prompt, said) {
  return `(a model would now read ${prompt.length} characters of memory and answer ${JSON.stringify(said)})\n${prompt}`;
}

/** Hear a message; where the memory is away, the talk goes on and one line says so. */
async function hear(message) {
  try {
    await memory.call('message.add', { ...where, id: randomUUID(), ...message });
  } catch (error) {
    if (!(error instanceof SoulmemError)) throw error;
    console.error(`not remembered: ${error.message}`);
  }
}

async function forget(words) {
  let cursor = null;
  let gone = 0;
  do {
    const page = await memory.call('message.list', { ...where, limit: 500, ...(cursor ? { cursor } : {}) });
    for (const { id, content } of page.items) {
      if (!content.toLowerCase().includes(words.toLowerCase())) continue;
      await memory.call('message.delete', { ...where, id });
      gone += 1;
    }
    cursor = page.next_cursor;
  } while (cursor);
  return `forgotten: ${gone}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = line.trim();
  if (!said) break;
  if (said.startsWith('/forget ')) {
    console.log(await forget(said.slice(8).trim()).catch((error) => `not forgotten: ${error.message}`));
    continue;
  }
  const prompt = await memory.context(where.mind, said, { conversation: where.conversation });
  await hear({ role: 'user', content: said, speaker });
  const reply = answer(prompt, said);
  console.log(`Pell: ${reply}`);
  await hear({ role: 'assistant', content: reply, speaker: 'Pell' });
}
memory.close();
