// SillyTavern's own page in a real browser, used as its user uses it: keys, clicks, commands typed into its field.
// Called with its address, the folder of playwright-core, characters, and steps, as JSON; prints the chat that then
// stands in the page, what quiet prompts brought, what the page says of the extension, and every fault of its scripts.

import { createRequire } from 'node:module';

const { address, tools, browser: executablePath, characters, group, steps, picture } = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${tools}/`)('playwright-core');
const PATIENCE_MS = 90_000;
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
page.setDefaultTimeout(PATIENCE_MS);
const faults = [];
page.on('pageerror', (error) => faults.push(error.message));
page.on('console', (said) => /soulmem/.test(said.text()) && /error|warning/.test(said.type()) && faults.push(said.text()));

const inPage = (run, argument) => page.evaluate(run, argument);
const chat = () => inPage(() => SillyTavern.getContext().chat.map(({ is_user, name, mes }) => [is_user ? 'user' : 'assistant', mes, name]));
const isQuiet = () => inPage(() => document.body.dataset.generating !== 'true');
const isAtRest = () => page.waitForFunction(() => {
  const { chat, streamingProcessor } = SillyTavern.getContext();
  const isBusy = document.body.dataset.generating === 'true' || (streamingProcessor && !streamingProcessor.isFinished);
  return !isBusy && chat.at(-1)?.mes !== '...' && !document.querySelector('.mes.last_mes .typing_indicator');
});

async function type(text) {
  await page.locator('#send_textarea').fill(text);
  await page.locator('#send_textarea').press('Enter');
}

/** Do something that has the character answer, in a group all of them, and wait until it is said. */
async function answered(act) {
  const ended = inPage(() => new Promise((done) => {
    const { eventSource, eventTypes, groupId } = SillyTavern.getContext();
    eventSource.once(groupId ? eventTypes.GROUP_WRAPPER_FINISHED : eventTypes.GENERATION_ENDED, done);
  }));
  const shown = () => inPage(() => {
    const { chat, groupId } = SillyTavern.getContext();
    const last = chat.at(-1);
    return groupId || !last || last.is_user ? '' : `${chat.length} ${last.swipe_id} ${last.mes}`;
  });
  const before = await shown();
  ended.catch(() => {}); // where it comes too late, the act has failed and says so
  await act();
  for (let left = PATIENCE_MS / 500; left > 0; left -= 1) { // or by what is shown, should the event have come before
    const isTold = await Promise.race([ended.then(() => true), page.waitForTimeout(500).then(() => false)]);
    const now = isTold ? '' : await shown();
    if (isTold || (now && now !== before && (await isQuiet()))) {
      await isAtRest();
      await page.waitForTimeout(1_000); // it writes the chat down
      return;
    }
  }
  throw new Error('no answer was shown');
}

/** Do something that opens another chat, and give the page the second that a person takes to look at it. */
async function opened(act) {
  const changed = inPage(() => new Promise((done) => {
    const { eventSource, eventTypes } = SillyTavern.getContext();
    eventSource.once(eventTypes.CHAT_CHANGED, done);
  }));
  changed.catch(() => {});
  await act();
  await Promise.race([changed, page.waitForTimeout(PATIENCE_MS / 3)]);
  await page.waitForTimeout(1_000);
}

async function choose(option) {
  await page.locator('#options_button').click();
  await page.locator(`#${option}`).click();
}

async function open() {
  await page.goto(address);
  await page.waitForFunction(() => globalThis.SillyTavern?.getContext?.().characters.length > 0 && !document.getElementById('loader'));
  await inPage(async ({ names, group }) => {
    const IN_LIST_ORDER = 1;
    const { getRequestHeaders, characters: there, getCharacters } = SillyTavern.getContext();
    for (const name of names.filter((each) => !there.some((one) => one.name === each))) {
      const body = JSON.stringify({ ch_name: name, description: `${name} is a gardener. 园丁。`, first_mes: '' });
      await fetch('/api/characters/create', { method: 'POST', headers: getRequestHeaders(), body });
    }
    await getCharacters();
    if (!group) return;
    const members = SillyTavern.getContext().characters.filter(({ name }) => names.includes(name)).map(({ avatar }) => avatar);
    const made = { name: group, members, activation_strategy: IN_LIST_ORDER };
    await fetch('/api/groups/create', { method: 'POST', headers: getRequestHeaders(), body: JSON.stringify(made) });
    await getCharacters();
  }, { names: characters, group });
  await page.waitForFunction(() => SillyTavern.getContext().onlineStatus !== 'no_connection');
}

/** The buttons of one message, which show when its own button is pressed. */
async function editing(at) {
  const message = page.locator(`#chat .mes[mesid="${at}"]`);
  await message.hover();
  await message.locator('.mes_edit').click();
  return message;
}

const quiet = [];
try {
  await open();
  for (const step of steps) {
    if (step.go) {
      await opened(() => inPage(async (name) => {
        const { characters: there, selectCharacterById } = SillyTavern.getContext();
        await selectCharacterById(there.findIndex((each) => each.name === name));
      }, step.go));
    } else if (step.say) {
      await answered(() => type(step.say));
    } else if (step.do === 'new chat') {
      await opened(async () => {
        await choose('option_start_new_chat');
        await page.locator('dialog[open] .popup-button-ok').click();
      });
    } else if (step.do === 'swipe') {
      await answered(async () => {
        for (let left = 3; left > 0; left -= 1) { // a click while it still writes the last answer down does nothing
          await page.locator('#chat .last_mes .swipe_right').click();
          const began = () => document.body.dataset.generating === 'true' || SillyTavern.getContext().chat.at(-1).swipes?.length > 1;
          if (await page.waitForFunction(began, null, { timeout: 5_000 }).then(() => true, () => false)) return;
        }
      });
    } else if (step.do === 'regenerate') {
      await answered(() => choose('option_regenerate'));
    } else if (step.do === 'edit') {
      const message = await editing(step.at);
      await message.locator('.edit_textarea').fill(step.to);
      await message.locator('.mes_edit_done').click();
    } else if (step.do === 'delete') {
      for (let left = step.count ?? 1; left > 0; left -= 1) {
        const message = await editing(step.at);
        const before = (await chat()).length;
        await message.locator('.mes_edit_delete').click();
        await page.locator('dialog[open] .popup-button-ok').click();
        await page.waitForFunction((was) => SillyTavern.getContext().chat.length < was, before);
      }
    } else if (step.do === 'meet the group') { // a command, which the first page of all takes for words to its assistant
      await opened(() => type(`/go ${group}`));
    } else if (step.do === 'use the endpoint') {
      await inPage((to) => {
        const field = document.getElementById('custom_api_url_text');
        field.value = to;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }, step.to);
    } else if (step.do === 'set the proxy') {
      await page.locator('#extensions-settings-button .drawer-toggle').click();
      await page.locator('.inline-drawer-toggle', { hasText: 'soulmem' }).click();
      await page.locator('#soulmem_proxy').fill(step.to);
      if (step.picture) await page.screenshot({ path: step.picture });
      await page.locator('#extensions-settings-button .drawer-toggle').click();
      await page.waitForTimeout(1_500); // settings are written a second after the last of their changes
    } else if (step.do === 'quiet') {
      quiet.push(await inPage((quietPrompt) => SillyTavern.getContext().generateQuietPrompt({ quietPrompt }), step.text));
    }
  }
  const settings = await inPage(() => ({
    enabled: document.getElementById('soulmem_enabled')?.checked,
    proxy: document.getElementById('soulmem_proxy')?.value,
    integrity: SillyTavern.getContext().chatMetadata.integrity,
  }));
  console.log(JSON.stringify({ chat: await chat(), quiet, faults, settings }));
} catch (error) {
  if (picture) await page.screenshot({ path: picture }).catch(() => {});
  throw new Error(`${JSON.stringify(await chat())}: ${error.message}`);
} finally {
  await browser.close();
}
