// A client of the soulmem daemon for Node, without dependencies: JSON-RPC 2.0, one object a line, over its Unix socket.
//
//   import { Soulmem } from './soulmem.mjs';
//   const memory = new Soulmem();
//   await memory.call('message.add', { mind: 'pell', role: 'user', content: 'My sister Ines keeps bees.', id: 'm1' });
//   const { text } = await memory.call('context.get', { mind: 'pell', query: 'Who keeps bees?' });
//   memory.close();
//
// Every method of docs/protocol.md works by its name. Calls may overlap; each reply finds its call by its id.

import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute, join } from 'node:path';

/** What went wrong. `code` is stable: the daemon's own name of an error, or `unavailable`, or `timeout`. */
export class SoulmemError extends Error {
  constructor(code, message, data = {}) {
    super(message);
    this.name = 'SoulmemError';
    this.code = code;
    this.hint = data.hint ?? null;
    this.retryable = data.retryable ?? false;
  }
}

/** Where the daemon listens: what is named, else the first of its usual places where there is a socket. */
export function socketPath(env = process.env) {
  if (env.SOULMEM_SOCKET) return env.SOULMEM_SOCKET;
  const absolute = (path) => (path && isAbsolute(path) ? path : null);
  const state = absolute(env.XDG_STATE_HOME) ?? join(env.HOME ?? '/', '.local', 'state');
  const service = env.RUNTIME_DIRECTORY?.split(':')[0];
  const places = [
    ...(service ? [join(service, 'soulmem.sock')] : []),
    join(absolute(env.XDG_RUNTIME_DIR) ?? state, 'soulmem', 'soulmem.sock'),
    '/run/soulmem/soulmem.sock',
  ];
  return places.find((place) => existsSync(place)) ?? places[0];
}

export class Soulmem {
  #path;
  #timeoutMs;
  #link = null; // {socket, waiting}: a connection and the calls that wait on it
  #number = 0;

  /** `timeoutMs`: how long a call may take unless it says more; a talk that must not wait says less. */
  constructor({ path = socketPath(), timeoutMs = 30_000 } = {}) {
    this.#path = path;
    this.#timeoutMs = timeoutMs;
  }

  /** Call a method. Rejects with a SoulmemError, never later than the timeout. */
  call(method, params = {}, { timeoutMs = this.#timeoutMs } = {}) {
    const id = ++this.#number;
    const { socket, waiting } = this.#open();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new SoulmemError('timeout', `${method} was not answered within ${timeoutMs} ms`));
      }, timeoutMs);
      waiting.set(id, {
        resolve: (result) => (clearTimeout(timer), resolve(result)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      });
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  /** What a prompt should hold, or '' where the memory is away, unknown or too slow: a talk goes on without it. */
  async context(mind, query, { timeoutMs = 500, ...params } = {}) {
    try {
      return (await this.call('context.get', { mind, query, ...params }, { timeoutMs })).text;
    } catch (error) {
      if (error instanceof SoulmemError) return '';
      throw error;
    }
  }

  close() {
    this.#link?.socket.destroy();
    this.#link = null;
  }

  #open() {
    if (this.#link) return this.#link;
    const socket = connect(this.#path);
    const waiting = new Map();
    const link = { socket, waiting };
    let rest = '';
    let fault = 'it closed the connection';
    socket.setEncoding('utf8'); // a character that comes in two pieces stays one
    socket.on('data', (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop();
      try {
        for (const line of lines) take(waiting, JSON.parse(line));
      } catch {
        socket.destroy(new Error('it does not speak the protocol of soulmem'));
      }
    });
    socket.on('error', (error) => {
      fault = error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'none is running' : error.message;
    });
    socket.on('close', () => {
      if (this.#link === link) this.#link = null;
      const why = `no soulmem daemon on ${this.#path}: ${fault}; start one with \`soulmem daemon\``;
      for (const each of waiting.values()) each.reject(new SoulmemError('unavailable', why, { retryable: true }));
      waiting.clear();
    });
    this.#link = link;
    return link;
  }
}

function take(waiting, reply) {
  const call = waiting.get(reply.id);
  if (!call) return; // a notification, or a reply after its deadline
  waiting.delete(reply.id);
  if (!reply.error) call.resolve(reply.result);
  else call.reject(new SoulmemError(reply.error.data?.name ?? 'internal', reply.error.message, reply.error.data));
}
