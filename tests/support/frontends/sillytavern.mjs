// What SillyTavern documents of itself to extensions, and no more: the context, its events, and how its server turns a
// request for a "custom" endpoint into HTTP. Called with the extension's file, a setting and steps, as JSON.

import { pathToFileURL } from 'node:url';

const [extension, setting, steps] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const listeners = {};
const context = {
  name1: 'Mara', name2: 'Pell', chat: [], chatMetadata: {}, characters: [{ name: 'Pell', avatar: 'Pell.png' }],
  characterId: 0, groupId: null, groups: [], extensionSettings: {}, saveSettingsDebounced() {},
  getCurrentChatId: () => 'Pell - 2026-11-29', eventTypes: { CHAT_COMPLETION_SETTINGS_READY: 'settings_ready' },
  eventSource: {
    on: (name, listener) => (listeners[name] ??= []).push(listener),
    emit: async (name, data) => { for (const each of listeners[name] ?? []) await each(data); },
  },
  ...setting.context,
};
globalThis.SillyTavern = { getContext: () => context };
await import(pathToFileURL(extension).href);

/** The prompt: the card, the chat, and what a caller puts behind it. In a group a name stands before the words. */
function prompt(extra) {
  const said = context.chat.map(({ name, is_user, mes }) => ({
    role: is_user ? 'user' : 'assistant',
    content: context.groupId && name !== context.name1 ? `${name}: ${mes}` : mes,
  }));
  return [{ role: 'system', content: `You are ${context.name2}, a gardener.` }, ...said, ...extra];
}

/** Send as the server does: headers from lines of YAML, the body without what is the server's own. */
async function generate(type, extra = []) {
  const request = {
    type, messages: prompt(extra), model: 'tiny', stream: false, chat_completion_source: 'custom', user_name: context.name1,
    char_name: context.name2, custom_url: setting.url, custom_include_headers: setting.headers ?? '',
  };
  await context.eventSource.emit('settings_ready', request);
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer sk-of-the-user' };
  for (const line of request.custom_include_headers.split('\n').filter(Boolean)) {
    const at = line.indexOf(':');
    headers[line.slice(0, at)] = line.slice(at + 1).trim().replace(/^"|"$/g, '');
  }
  const { messages, model, stream } = request;
  const answer = await fetch(`${setting.url}/chat/completions`, {
    method: 'POST', headers, body: JSON.stringify({ messages, model, stream }),
  });
  return (await answer.json()).choices[0].message.content;
}

const hear = (mes) => context.chat.push({ name: context.name2, is_user: false, mes, swipes: [mes], swipe_id: 0 });
const answers = [];
for (const step of steps) {
  const last = context.chat.at(-1);
  if (step.as) context.name2 = step.as;
  if (step.say) {
    context.chat.push({ name: context.name1, is_user: true, mes: step.say });
    hear(await generate('normal'));
  } else if (step.do === 'speak') {
    hear(await generate('normal'));
  } else if (step.do === 'swipe' || step.do === 'regenerate') {
    context.chat.pop();
    const mes = await generate(step.do);
    context.chat.push({ ...last, mes, swipes: [...last.swipes, mes], swipe_id: last.swipes.length });
  } else if (step.do === 'edit') {
    context.chat.at(step.at).mes = step.to;
  } else if (step.do === 'delete') {
    context.chat.splice(step.at, step.count ?? 1);
  } else if (step.do === 'quiet' || step.do === 'impersonate') {
    answers.push(await generate(step.do, [{ role: 'system', content: step.text }]));
  }
}
console.log(JSON.stringify({ chat: context.chat.map(({ is_user, mes }) => [is_user ? 'user' : 'assistant', mes]), answers }));
