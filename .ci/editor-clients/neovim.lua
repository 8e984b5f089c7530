-- Neovim's own client, set up as the guide says for its version: opens a draft, types a false figure, hovers, takes the fix, errs again, says of which passage that figure is, stops the
-- server.
local function wait(what, check)
  assert(vim.wait(60000, check, 50), 'waited in vain for ' .. what)
end

local function figures()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    local code = (((one.user_data or {}).lsp or {}).code) or one.code or ''
    if tostring(code):find('number') then table.insert(found, one) end
  end
  return found
end

local ok, error = pcall(function()
  local setups = {}
  for setup in table.concat(vim.fn.readfile(os.getenv('GUIDE')), '\n'):gmatch('```lua\n(.-)\n```') do table.insert(setups, setup) end
  assert(loadstring(setups[vim.lsp.config and 1 or 2]))()
  vim.cmd('edit draft.md')
  vim.bo.filetype = 'markdown'
  local id, answered = nil, false
  wait('the server', function()
    for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
      if client.name == 'copydesk' and client.initialized ~= nil then id = client.id end
    end
    return id and vim.lsp.buf_is_attached(0, id)
  end)
  -- An emoji before the figure, so that columns count in UTF-16.
  vim.api.nvim_buf_set_text(0, 2, 0, 2, 0, { '😀 e\u{301} ' })
  local line = vim.api.nvim_buf_get_lines(0, 2, 3, true)[1]
  local at = line:find('1.8', 1, true) - 1
  vim.api.nvim_buf_set_text(0, 2, at, 2, at + 1, { '2' })
  wait('a finding', function() return #figures() == 1 end)
  local finding = figures()[1]
  assert(finding.lnum == 2 and finding.col == at - 1, vim.inspect(finding))
  vim.api.nvim_win_set_cursor(0, { 3, at + 1 })
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000)[id].result
  assert(hover.contents.value:find('$1.8 million', 1, true), vim.inspect(hover))
  local place = vim.lsp.buf_request_sync(0, 'textDocument/definition', params, 10000)[id].result[1]
  assert(place.uri:find('notes.txt', 1, true), vim.inspect(place))
  local range = vim.lsp.util.make_range_params(0, 'utf-16')
  range.context = { diagnostics = {} }
  local actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', range, 10000)[id].result
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait('the fix', function() return #figures() == 0 end)
  vim.api.nvim_buf_set_text(0, 2, at, 2, at + 1, { '3' })
  wait('another finding', function() return #figures() == 1 end)
  actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', range, 10000)[id].result
  for _, action in ipairs(actions) do
    if action.title:find('This is said of “The library', 1, true) then
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      answered = true
    end
  end
  assert(answered, vim.inspect(actions))
  wait('the reason', function() return #figures() == 0 end)
  vim.lsp.stop_client(id)
  wait('its end', function() return vim.lsp.client_is_stopped(id) end)
end)
if not ok then
  io.stderr:write(tostring(error) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
