-- Does in Neovim what a task says, and writes what came of it. The settings are those of the page.
local task = vim.json.decode(table.concat(vim.fn.readfile(vim.env.TASK), "\n"))
local result = {}

local function wait(purpose, test)
  assert(vim.wait(100000, test, 50), "waited in vain for " .. purpose)
end

-- The row and the byte in it where some words begin.
local function find(words)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local at = line:find(words, 1, true)
    if at then return row - 1, at - 1 end
  end
  error("no " .. words)
end

local function put_cursor(words, inner)
  local row, column = find(words)
  vim.api.nvim_win_set_cursor(0, { row + 1, column + inner })
end

local function replace(words, other)
  local row, column = find(words)
  vim.api.nvim_buf_set_text(0, row, column, row, column + #words, { other })
end

local function line_with(words)
  return vim.api.nvim_buf_get_lines(0, (find(words)), (find(words)) + 1, true)[1]
end

local function open(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  wait("the server", function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
  wait("its start", function() return vim.lsp.get_clients({ bufnr = 0 })[1].initialized end)
end

local function client()
  return vim.lsp.get_clients({ bufnr = 0 })[1]
end

local function ask(method)
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  local answer = assert(client():request_sync(method, params, 300000))
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

local function run()
  open(task.upper)
  open(task.lower)
  result.comment = vim.bo.commentstring
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { task.unsaved })

  replace(task.word .. task.after, task.slip .. task.after)
  wait("a finding", function() return #errors() > 0 end)
  local finding = errors()[1]
  result.finding = vim.api.nvim_buf_get_text(
    0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {}
  )[1]

  put_cursor(task.slip .. task.after, 1)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.title == task.remedy end,
  })
  wait("the remedy", function() return line_with(task.mark):find(task.word .. task.after, 1, true) end)
  wait("no finding", function() return #errors() == 0 end)

  put_cursor(task.word .. task.after, 1)
  result.hover = ask("textDocument/hover").contents.value

  put_cursor(task.word .. task.after, #task.word)
  for _, item in ipairs(ask("textDocument/completion").items) do
    if item.label == task.word then
      local before = vim.api.nvim_buf_get_lines(0, 0, -1, true)
      vim.lsp.util.apply_text_edits({ item.textEdit }, vim.api.nvim_get_current_buf(), client().offset_encoding)
      result.completed = line_with(task.mark)
      vim.api.nvim_buf_set_lines(0, 0, -1, true, before)
    end
  end

  replace(task.format_from, task.format_to)
  vim.lsp.buf.format({ async = false, timeout_ms = 300000 })
  vim.wait(1000) -- Neovim sends changes a little later, and asks about other files without them

  open(task.upper)
  put_cursor(task.above, 1)
  local found
  vim.lsp.buf.definition({ on_list = function(list) found = list.items[1] end })
  wait("the declaration", function() return found end)
  result.definition = { vim.fs.basename(found.filename), found.text }

  vim.lsp.buf.rename(task.new)
  wait("the new name", function() return pcall(find, task.renamed) end)
  vim.cmd.wall()
  result.servers = #vim.lsp.get_clients()
end

local ok, problem = xpcall(run, debug.traceback)
if not ok then result.problem = problem end
vim.fn.writefile({ vim.json.encode(result) }, vim.env.RESULT)
vim.cmd("qall!")
