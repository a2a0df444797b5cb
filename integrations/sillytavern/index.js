// SillyTavern over `soulmem proxy`: tells the proxy who speaks, with whom, in which chat, and what is no talk.
//
// The proxy hears the talk, follows swipes, edits and deleted messages, and puts what comes to mind into the prompt. This
// extension adds headers to requests that go to the proxy, and to no others. It stores two settings and reads no key.

const SETTINGS = 'soulmem';
const DEFAULTS = { enabled: true, proxy: 'http://127.0.0.1:8766' };
const NO_TALK = ['quiet', 'impersonate']; // what extensions ask for themselves, and what the model writes for the user

/** The settings, as they are kept by SillyTavern. */
export function settingsOf(context) {
  context.extensionSettings[SETTINGS] ??= {};
  return Object.assign(context.extensionSettings[SETTINGS], { ...DEFAULTS, ...context.extensionSettings[SETTINGS] });
}

/** The headers for one request; none where it does not go to the proxy. */
export function headersFor(request, context) {
  const { enabled, proxy } = settingsOf(context);
  if (!enabled || request.chat_completion_source !== 'custom' || !isBelow(request.custom_url, proxy)) return {};
  if (NO_TALK.includes(request.type)) return { 'X-Soulmem-Memory': 'off' };
  const group = context.groupId ? context.groups?.find((each) => each.id === context.groupId) : null;
  const character = request.char_name || context.name2;
  const user = request.user_name || context.name1;
  const speakers = group
    ? [...group.members.map((avatar) => context.characters.find((each) => each.avatar === avatar)?.name), user]
    : [];
  return Object.fromEntries(
    Object.entries({
      'X-Soulmem-Persona': personaOf(character, context),
      'X-Soulmem-User': user,
      'X-Soulmem-Session': context.chatMetadata?.integrity ?? context.getCurrentChatId?.() ?? context.chatId,
      'X-Soulmem-Speakers': speakers.filter(Boolean).map(encodeURIComponent).join(','), // who may stand before a colon
    }).filter(([, value]) => value),
  );
}

/** Add headers to those of the user, which win. They are lines of YAML; values travel percent-encoded. */
export function withHeaders(own, headers) {
  const lines = (own ?? '').split('\n').filter((line) => line.trim());
  const taken = new Set(lines.map((line) => line.split(':')[0].trim().replace(/^["']|["']$/g, '').toLowerCase()));
  const added = Object.entries(headers)
    .filter(([name]) => !taken.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: "${name === 'X-Soulmem-Speakers' ? value : encodeURIComponent(value)}"`);
  return [...lines, ...added].join('\n');
}

/** Two characters of one name have two minds. */
function personaOf(name, context) {
  const same = (context.characters ?? []).filter((each) => each?.name === name);
  const avatar = context.characters?.[context.characterId]?.avatar;
  return same.length > 1 && avatar ? `${name} ${avatar.replace(/\.\w+$/, '')}` : name;
}

function isBelow(url, proxy) {
  try {
    return new URL(url).origin === new URL(proxy).origin;
  } catch {
    return false;
  }
}

function start() {
  const context = SillyTavern.getContext();
  const events = context.eventTypes ?? context.event_types;
  settingsOf(context);
  context.eventSource.on(events.CHAT_COMPLETION_SETTINGS_READY, (request) => {
    try {
      const headers = headersFor(request, SillyTavern.getContext());
      if (Object.keys(headers).length) {
        request.custom_include_headers = withHeaders(request.custom_include_headers, headers);
      }
    } catch (error) {
      console.warn('soulmem: the request goes without the names of who speaks', error); // the talk goes on
    }
  });
  if (typeof document !== 'undefined') showSettings();
}

function showSettings() {
  const place = document.getElementById('extensions_settings2');
  if (!place) return;
  const settings = settingsOf(SillyTavern.getContext());
  const panel = document.createElement('div');
  panel.innerHTML = `
    <div class="inline-drawer">
      <div class="inline-drawer-toggle inline-drawer-header"><b>soulmem</b>
        <div class="inline-drawer-icon fa-solid fa-circle-chevron-down down"></div></div>
      <div class="inline-drawer-content">
        <label class="checkbox_label"><input type="checkbox" id="soulmem_enabled"> remember / 记忆</label>
        <label>proxy / 代理 <input type="text" class="text_pole" id="soulmem_proxy"></label>
      </div>
    </div>`;
  place.append(panel);
  const [enabled, proxy] = [panel.querySelector('#soulmem_enabled'), panel.querySelector('#soulmem_proxy')];
  enabled.checked = settings.enabled;
  proxy.value = settings.proxy;
  const save = () => {
    const { extensionSettings, saveSettingsDebounced } = SillyTavern.getContext();
    Object.assign(extensionSettings[SETTINGS], { enabled: enabled.checked, proxy: proxy.value.trim() });
    saveSettingsDebounced();
  };
  enabled.addEventListener('change', save);
  proxy.addEventListener('input', save);
}

if (typeof SillyTavern !== 'undefined') start();
