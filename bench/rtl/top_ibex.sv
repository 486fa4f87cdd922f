// Common test-bench ports around ibex_core.  Default: the "maxperf" row of ibex_configs.yaml;
// -DRTL_IBEX_SMALL: the "small" row (3-cycle multiplier, no branch target ALU, no write-back stage).
`ifdef RTL_IBEX_SMALL
`define RTL_M ibex_pkg::RV32MFast
`define RTL_PERF 1'b0
`else
`define RTL_M ibex_pkg::RV32MSingleCycle
`define RTL_PERF 1'b1
`endif
module rtl_top (
    input  logic        clk, rst_n,
    input  logic [31:0] boot_addr,
    output logic        i_req, input logic i_gnt, i_rvalid, output logic [31:0] i_addr, input logic [31:0] i_rdata,
    output logic        d_req, input logic d_gnt, d_rvalid, output logic d_we, output logic [3:0] d_be,
    output logic [31:0] d_addr, d_wdata, input logic [31:0] d_rdata,
    output logic        ret_valid, ret_trap, output logic [31:0] ret_pc
);
  import ibex_pkg::*;
  logic [4:0] ra, rb, wa; logic we; logic [31:0] wd, rda, rdb;
  logic [IC_TAG_SIZE-1:0]  tag0 [IC_NUM_WAYS]; logic [IC_LINE_SIZE-1:0] line0 [IC_NUM_WAYS];
  for (genvar k = 0; k < IC_NUM_WAYS; k++) begin : g_tie assign tag0[k] = '0; assign line0[k] = '0; end
  ibex_core #(.RV32M(`RTL_M), .BranchTargetALU(`RTL_PERF), .WritebackStage(`RTL_PERF)) u_ibex_core (
      .clk_i(clk), .rst_ni(rst_n), .hart_id_i(32'h0), .boot_addr_i(boot_addr),
      .instr_req_o(i_req), .instr_gnt_i(i_gnt), .instr_rvalid_i(i_rvalid), .instr_addr_o(i_addr), .instr_rdata_i(i_rdata), .instr_err_i(1'b0),
      .data_req_o(d_req), .data_gnt_i(d_gnt), .data_rvalid_i(d_rvalid), .data_we_o(d_we), .data_be_o(d_be),
      .data_addr_o(d_addr), .data_wdata_o(d_wdata), .data_rdata_i(d_rdata), .data_err_i(1'b0),
      .dummy_instr_id_o(), .dummy_instr_wb_o(), .rf_raddr_a_o(ra), .rf_raddr_b_o(rb), .rf_waddr_wb_o(wa), .rf_we_wb_o(we),
      .rf_wdata_wb_ecc_o(wd), .rf_rdata_a_ecc_i(rda), .rf_rdata_b_ecc_i(rdb),
      .ic_tag_req_o(), .ic_tag_write_o(), .ic_tag_addr_o(), .ic_tag_wdata_o(), .ic_tag_rdata_i(tag0),
      .ic_data_req_o(), .ic_data_write_o(), .ic_data_addr_o(), .ic_data_wdata_o(), .ic_data_rdata_i(line0),
      .ic_scr_key_valid_i(1'b1), .ic_scr_key_req_o(),
      .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i('0), .irq_nm_i(1'b0), .irq_pending_o(),
      .debug_req_i(1'b0), .crash_dump_o(), .double_fault_seen_o(),
      .rvfi_valid(ret_valid), .rvfi_trap(ret_trap), .rvfi_pc_rdata(ret_pc),
      .fetch_enable_i(IbexMuBiOn), .alert_minor_o(), .alert_major_internal_o(), .alert_major_bus_o(), .core_busy_o());
  ibex_register_file_ff u_rf (
      .clk_i(clk), .rst_ni(rst_n), .test_en_i(1'b0), .dummy_instr_id_i(1'b0), .dummy_instr_wb_i(1'b0),
      .raddr_a_i(ra), .rdata_a_o(rda), .raddr_b_i(rb), .rdata_b_o(rdb), .waddr_a_i(wa), .wdata_a_i(wd), .we_a_i(we), .err_o());
endmodule
// stand-in for the technology cell that the package generates
module prim_buf #(parameter int Width = 1) (input logic [Width-1:0] in_i, output logic [Width-1:0] out_o);
  assign out_o = in_i;
endmodule
